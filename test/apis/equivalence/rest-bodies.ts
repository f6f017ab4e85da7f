// Converts GraphQL data to REST bodies.

/** Converts one record. */
// biome-ignore lint/suspicious/noExplicitAny: nodes of every shape
export type ToRest = (node: any) => unknown;

/** The body of a list. */
// biome-ignore lint/suspicious/noExplicitAny: connections of every shape
export function pageOf({ edges, pageInfo }: any, toRest: ToRest): unknown {
  return {
    data: edges.map(({ node }: { node: unknown }) => toRest(node)),
    pagination: {
      next_cursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      has_more: pageInfo.hasNextPage,
    },
  };
}

/** A form. */
// biome-ignore lint/suspicious/noExplicitAny: a form as GraphQL shows it
export function formOf({ formId, fields, ...form }: any): unknown {
  return {
    id: formId,
    ...(snake(form) as object),
    fields: fields.map(({ fieldId, ...field }: Record<string, unknown>) => ({
      id: fieldId,
      ...(snake(field) as object),
    })),
  };
}

/** A department, with the name of its head. */
// biome-ignore lint/suspicious/noExplicitAny: a department as GraphQL shows it
export function departmentOf({ headOfDepartment: head, ...department }: any): unknown {
  return { ...(snake(department) as object), head_of_department: head && `${head.firstName} ${head.lastName}` };
}

/** A form response. The values of answers keep their property names, since these are data of the organization. */
// biome-ignore lint/suspicious/noExplicitAny: a response as GraphQL shows it
export function responseOf({ answers, ...response }: any): unknown {
  const byField = answers.map(({ fieldId, value }: { fieldId: number; value: unknown }) => [String(fieldId), value]);
  return { ...(snake(response) as object), answers: Object.fromEntries(byField) };
}

/** Converts the property names of a value to REST's. */
export function snake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snake);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [snakeName(name), snake(one)]));
}

/** The name of a field in REST. */
export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name of a field in GraphQL. */
export function camelName(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
