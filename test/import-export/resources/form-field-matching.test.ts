import { describe, expect, it } from 'vitest';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { exported, importText, ndjson, reasons } from '../imports.ts';

onOneDatabase((service) => {
  const importRecords = ({ id }: TestOrganization, resource: string, ...records: object[]) =>
    importText(service.store, id, `${resource}.ndjson`, ndjson(...records));

  describe('fields without an external id', () => {
    const question = (question: string, more: object = {}) => ({ question, field_type: 'short_answer', ...more });
    const form = (...fields: object[]) => ({ external_id: 'f', title: 'F', fields });
    /** Copies all forms and responses by an export. @returns the results. */
    const copy = async (from: TestOrganization, to: TestOrganization) => {
      const results = [];
      for (const resource of ['forms', 'form_responses']) {
        results.push(await importRecords(to, resource, ...(await exported(service.store, from.id, resource))));
      }
      return results;
    };

    it('do not match fields of another organization that have the same id', async () => {
      const [one, other] = [await service.organization(), await service.organization()];
      await importRecords(one, 'forms', form(question('Ours')));
      await importRecords(other, 'forms', form(question('Theirs')));
      expect(await copy(one, other)).toMatchObject([{ updated: 1 }, {}]);
      const [{ fields }] = (await other.get('/forms')).json.data;
      expect(fields).toMatchObject([{ question: 'Ours' }, { id: 1, question: 'Theirs' }]);
    });

    it('match their exported id after their question has changed', async () => {
      const us = await service.organization();
      await importRecords(us, 'forms', form(question('Before')));
      const [{ fields, ...rest }] = await exported(service.store, us.id, 'forms');
      const changed = { ...rest, fields: [{ ...fields[0], question: 'After' }] };
      expect(await importRecords(us, 'forms', changed)).toMatchObject({ updated: 1 });
      expect((await us.get('/forms')).json.data[0].fields).toMatchObject([{ id: 1, question: 'After' }]);
    });
  });

  describe('the type of a field', () => {
    const form = (field_type: string) => ({
      external_id: 'f',
      title: 'F',
      fields: [
        { external_id: 'free', question: 'Free?', field_type: 'paragraph' },
        { external_id: 'q', question: 'How many?', field_type },
      ],
    });
    const importAnswers = (us: TestOrganization, answers: object) =>
      importRecords(us, 'form_responses', { external_id: 'r', form: 'f', answers });

    it.each([false, true])('does not change if stored answers do not fit the new one (dry run: %s)', async (dryRun) => {
      const us = await service.organization();
      await importRecords(us, 'forms', form('number'));
      await importAnswers(us, { q: 3 });
      const text = ndjson({ ...form('date'), title: 'New' });
      const result = await importText(service.store, us.id, 'forms.ndjson', text, { dryRun });
      expect(result).toMatchObject({ updated: 0, rejected: 1 });
      if (!dryRun) {
        expect(reasons(result)).toEqual([
          'fields.1.field_type: cannot change from number to date, because the field already has answers; add a field instead',
        ]);
      }
      expect(await exported(service.store, us.id, 'forms')).toMatchObject([form('number')]);
    });

    it('changes if it has no answers', async () => {
      const us = await service.organization();
      await importRecords(us, 'forms', form('number'));
      await importAnswers(us, { free: 'x' });
      expect(await importRecords(us, 'forms', form('date'))).toMatchObject({ updated: 1 });
      expect(await exported(service.store, us.id, 'forms')).toMatchObject([form('date')]);
    });

    it.each([
      ['number', 'scale', 3],
      ['single_choice', 'paragraph', 'Red'],
    ])('changes from %s to %s with answers, which both allow', async (from, to, answer) => {
      const us = await service.organization();
      await importRecords(us, 'forms', form(from));
      await importAnswers(us, { q: answer });
      expect(await importRecords(us, 'forms', form(to))).toMatchObject({ updated: 1 });
      expect(await importAnswers(us, { q: answer })).toMatchObject({ unchanged: 1 });
    });
  });
});
