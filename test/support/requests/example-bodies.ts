import { ENTITIES } from '../../../src/domain/entities/registry.ts';
import { OPERATION_TEXTS } from '../../../src/rest/openapi/operation-texts.ts';
import { routes } from '../../../src/rest/routes.ts';
import { segmentOf } from '../derived-records.ts';

/** Whether a path is that of the records of an entity, or of one of them. */
function isOfEntity(path: string): boolean {
  return Object.values(ENTITIES).some(({ entity }) => new RegExp(`^/${segmentOf(entity)}(/\\{\\w+\\})?$`).test(path));
}

/**
 * The body in the API reference's example of each operation on other paths than those of records, such as
 * `PATCH /members/{object_id}/tags`.
 */
export const EXAMPLE_BODIES: Readonly<Record<string, object>> = Object.fromEntries(
  routes.flatMap(({ id, method, path }) => {
    const body = OPERATION_TEXTS[id]?.example?.body;
    return body && !isOfEntity(path) ? [[`${method} ${path}`, body]] : [];
  }),
);
