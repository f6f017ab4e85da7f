import DataLoader from 'dataloader';
import type { SelectedFields } from '../../domain/records/selected-fields.ts';

/** Loads records by id with the selected fields. */
export interface RecordLoader<Id, Node> {
  /** @returns the record with at least `fields`; undefined if it does not exist. */
  load(id: Id, fields: SelectedFields): Promise<Node | undefined>;
}

/**
 * Creates a loader that reads the records which are requested in one turn of the event loop together, with the fields
 * of all their selections.
 *
 * All selections share one statement. With one statement per selection, an operation could run many statements for one
 * point by selecting the same record under many aliases.
 *
 * @param read returns the records in the order of `ids`.
 * @param largeField a field with long values. Records for which it is selected are read separately, so that it is not
 *   read for the others.
 */
export function createRecordLoader<Id, Node>(
  read: (ids: readonly Id[], fields: SelectedFields) => Promise<readonly (Node | undefined)[]>,
  largeField: string | undefined,
): RecordLoader<Id, Node> {
  const readBatch = (requests: readonly { readonly id: Id; readonly fields: SelectedFields }[]) =>
    read(
      requests.map(({ id }) => id),
      unionOf(new Set(requests.map(({ fields }) => fields))),
    );
  const createLoader = () => new DataLoader(readBatch, { cache: false });
  const [loader, largeFieldLoader] = [createLoader(), createLoader()];
  const requested = new Map<SelectedFields, Map<Id, Promise<Node | undefined>>>();
  return {
    load(id, fields) {
      const byId = requested.get(fields) ?? new Map<Id, Promise<Node | undefined>>();
      requested.set(fields, byId);
      const isLarge = largeField !== undefined && Object.values(fields).includes(largeField);
      const record = byId.get(id) ?? (isLarge ? largeFieldLoader : loader).load({ id, fields });
      byId.set(id, record);
      return record;
    },
  };
}

/**
 * Returns the fields of all selections. A single selection is returned unchanged, because SELECT lists (`selectionOf`)
 * are cached by object identity.
 */
function unionOf(selections: ReadonlySet<SelectedFields>): SelectedFields {
  const [first = {}] = selections;
  return selections.size === 1 ? first : Object.assign({}, ...selections);
}
