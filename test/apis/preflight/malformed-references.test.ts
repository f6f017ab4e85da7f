import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

const PREFLIGHT = { Preflight: 'true' };

onOneStore((service) => {
  it.each([
    ['post', { designation_id: 'nonsense' }],
    ['post', { designation_id: '' }],
    ['post', { tag_ids: ['nonsense'] }],
    ['patch', { designation_id: 'nonsense' }],
    ['patch', { tag_ids: ['nonsense'] }],
  ] as const)('a preflight of a %s reports malformed references in %j', async (method, fields) => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    const [path, body] = method === 'post' ? ['/members', person(fields)] : [`/members/${id}`, fields];
    const { refusal } = (await organization[method](path, body, PREFLIGHT)).json.preflight;
    const { error } = (await organization[method](path, body)).json;
    expect(error.code).toBe('invalid_request');
    expect(refusal).toEqual(error);
  });

  it('a preflight of a mutation reports a malformed designation id', async () => {
    const organization = await service.organization();
    const query = graphql(service.app, organization.key);
    const mutation = `mutation { createMember(input: {
      firstName: "Ada", lastName: "Hill", emailAddress: "ada.malformed@example.org", designationId: "nonsense"
    }) { member { id } } }`;
    const { refusals } = (await query(mutation, {}, PREFLIGHT)).json.extensions.preflight;
    const { errors } = (await query(mutation)).json;
    expect(errors).toHaveLength(1);
    expect(refusals).toEqual(errors);
  });
});
