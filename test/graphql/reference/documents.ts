import fc from 'fast-check';
import {
  doTypesOverlap,
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  validate,
} from 'graphql';

/** A request with a generated document. */
export interface GeneratedRequest {
  readonly query: string;
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** GraphQL literals for arguments, by the name of the argument or of its input type. Some of them are invalid. */
export type ArgumentValues = Readonly<Record<string, readonly string[]>>;

/** Limits of generated documents. */
const MAX_DEPTH = 7;
const MAX_SELECTIONS = 5;
const MAX_FRAGMENTS = 4;
const MAX_SIZE = 60;

/** A variable of generated documents. */
interface Variable {
  /** Its type, with the default value if it has one. */
  readonly type: string;
  /** Its values; undefined if the request does not give it. */
  readonly values: readonly unknown[];
}

/** Values that most variables do not accept. */
const WRONG_VALUES = [null, 'x', 1.5, 2 ** 31, {}, { unknown: 1 }, [[]], [null], true];

/** Aliases with a special meaning in JavaScript or SQL. Each field has only one, so that fields can be merged. */
const SPECIAL_ALIASES: Readonly<Record<string, string>> = {
  firstName: 'record',
  name: 'record',
  title: 'record',
  lastName: '__proto__',
  city: 'constructor',
  country: 'city__raw',
  member: 'member__raw',
  edges: 'nodes',
  nodes: 'edges',
  node: 'cursor',
  cursor: 'node',
  totalCount: 'edges__raw',
  tags: 'position',
  departments: 'json',
  createdAt: 'x'.repeat(64),
};

/**
 * Generates requests with valid documents. The documents contain aliases, repeated fields, repeated and nested fragments,
 * type conditions on object types and interfaces, introspection, and `@skip` and `@include` with literals and variables on
 * all kinds of selections. Variables may be null, absent or of a wrong type. A document may have two operations, which are
 * requested in any order and repeatedly.
 */
export function generatedRequests(schema: GraphQLSchema, values: ArgumentValues): fc.Arbitrary<GeneratedRequest[]> {
  return fc
    .array(fc.nat(9_999), { minLength: 20, maxLength: 400, size: 'max' })
    .map((choices) => new Generator(schema, values, new Choices(choices)).requests())
    .filter(([request]) => request !== undefined && validate(schema, parse(request.query)).length === 0);
}

class Generator {
  private readonly fragments: { name: string; type: GraphQLCompositeType; body: string }[] = [];
  private selections = 0;
  private readonly variables: Readonly<Record<string, Variable>>;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly values: ArgumentValues,
    private readonly choices: Choices,
  ) {
    this.variables = variablesWith(
      (values.id ?? []).filter((text) => text.startsWith('"')).map((text) => JSON.parse(text) as string),
    );
  }

  requests(): GeneratedRequest[] {
    const composite = Object.values(this.schema.getTypeMap()).filter(
      (type): type is GraphQLCompositeType => isCompositeType(type) && !type.name.startsWith('__'),
    );
    for (let n = this.choices.number(MAX_FRAGMENTS); n > 0; n -= 1) {
      const type = this.choices.pick(composite);
      // A fragment can spread only earlier fragments, so there are no cycles.
      const body = this.selectionSet(type, 3);
      this.fragments.push({ name: `F${this.fragments.length}`, type, body });
    }
    const isMutation = this.choices.oneIn(8);
    const root = (isMutation ? this.schema.getMutationType() : this.schema.getQueryType()) as GraphQLCompositeType;
    const keyword = isMutation ? 'mutation' : 'query';
    const bodies = this.choices.oneIn(4)
      ? [this.selectionSet(root, 1), this.selectionSet(root, 1)]
      : [this.selectionSet(root, 1)];
    const operations = bodies.map((body, n) => `${keyword} Q${n}${this.variableDefinitions(body)} ${body}`);
    const query = [...operations, ...this.fragmentDefinitions(bodies.join())].join('\n');
    const requests = bodies.map((_, n) => ({ query, operationName: `Q${n}`, variables: this.variableValues() }));
    const first = requests[0] as GeneratedRequest;
    const again = { ...first, variables: this.variableValues() };
    return [...(this.choices.oneIn(2) ? requests : requests.toReversed()), again, first];
  }

  private variableValues(): Record<string, unknown> {
    const given = Object.entries(this.variables).map(([name, { values }]) => [
      name,
      this.choices.pick(this.choices.oneIn(60) ? WRONG_VALUES : values),
    ]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  private variableDefinitions(body: string): string {
    const text = [body, ...this.fragmentDefinitions(body)].join();
    const definitions = Object.entries(this.variables)
      .filter(([name]) => new RegExp(`\\$${name}\\b`).test(text))
      .map(([name, { type }]) => `$${name}: ${type}`);
    return definitions.length === 0 ? '' : `(${definitions.join(', ')})`;
  }

  /** The definitions of the fragments that a selection set uses. */
  private fragmentDefinitions(body: string): string[] {
    let text = body;
    return this.fragments
      .toReversed()
      .filter(({ name, body }) => {
        const isUsed = text.includes(`...${name} `);
        if (isUsed) text += body;
        return isUsed;
      })
      .map(({ name, type, body }) => `fragment ${name} on ${type.name} ${body}`);
  }

  private selectionSet(type: GraphQLCompositeType, depth: number): string {
    const selections: string[] = [];
    for (let n = 1 + this.choices.number(MAX_SELECTIONS - 1); n > 0; n -= 1)
      selections.push(this.selection(type, depth));
    if (this.choices.oneIn(5)) selections.push(this.choices.pick(selections));
    return `{ ${selections.join(' ')} }`;
  }

  private selection(type: GraphQLCompositeType, depth: number): string {
    this.selections += 1;
    const spreadable = this.fragments.filter((fragment) => doTypesOverlap(this.schema, fragment.type, type));
    if (spreadable.length > 0 && this.choices.oneIn(4))
      return `...${this.choices.pick(spreadable).name} ${this.directives()}`;
    if (depth < MAX_DEPTH && this.selections < MAX_SIZE && this.choices.oneIn(6)) {
      const condition = this.choices.pick([undefined, type, ...this.overlapping(type)]);
      const on = condition ? ` on ${condition.name}` : '';
      return `...${on} ${this.directives()} ${this.selectionSet(condition ?? type, depth + 1)}`;
    }
    return this.field(type, depth);
  }

  /** The types that a type condition within this type can have, besides the type itself. */
  private overlapping(type: GraphQLCompositeType): GraphQLCompositeType[] {
    const possible = isAbstractType(type) ? [...this.schema.getPossibleTypes(type)] : [];
    const interfaces = isObjectType(type) ? [...type.getInterfaces()] : [];
    return [...possible, ...interfaces];
  }

  private field(type: GraphQLCompositeType, depth: number): string {
    const all = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    if (type === this.schema.getQueryType() && this.choices.oneIn(6)) all.push(SchemaMetaFieldDef, TypeMetaFieldDef);
    const isDeep = depth >= MAX_DEPTH || this.selections >= MAX_SIZE;
    const usable = all.filter((field) => !isDeep || !isCompositeType(getNamedType(field.type)));
    if (usable.length === 0 || this.choices.oneIn(8))
      return `${this.choices.pick(['', '', 'kind: '])}__typename ${this.directives()}`;
    // Prefer fields with a selection set: most fields are scalars, so documents would be shallow otherwise.
    const nested = usable.filter((field) => isCompositeType(getNamedType(field.type)));
    const field = nested.length > 0 && this.choices.oneIn(2) ? this.choices.pick(nested) : this.choices.pick(usable);
    const { text, number } = this.arguments(field);
    // One alias for each combination of arguments, so that fields with the same response name can be merged.
    const alias =
      number > 0
        ? `${field.name}_${number}: `
        : this.choices.pick(['', '', `${field.name}_x: `, `${SPECIAL_ALIASES[field.name] ?? field.name}: `]);
    const named = getNamedType(field.type);
    const subselection = isCompositeType(named) ? this.selectionSet(named, depth + 1) : '';
    return `${alias}${field.name}${text} ${this.directives()} ${subselection}`;
  }

  private arguments(field: GraphQLField<unknown, unknown>): { text: string; number: number } {
    let number = 0;
    const given = field.args.flatMap((argument) => {
      const texts = this.literalsFor(argument);
      const isRequired = isNonNullType(argument.type);
      const chosen = isRequired
        ? 1 + this.choices.number(texts.length - 1)
        : this.choices.oneIn(2)
          ? 0
          : this.choices.number(texts.length);
      number = number * (texts.length + 1) + chosen;
      return chosen === 0 ? [] : [`${argument.name}: ${texts[chosen - 1]}`];
    });
    return { text: given.length === 0 ? '' : `(${given.join(', ')})`, number };
  }

  private literalsFor({ name, type }: GraphQLArgument): readonly string[] {
    const texts = this.values[getNamedType(type).name] ?? this.values[name];
    if (texts) return texts;
    const rejected = rejectedLiteral(type);
    // A creation that succeeds would return a different id each time.
    if (!isInputObjectType(getNamedType(type)) || !rejected.includes(INVALID_TEXT)) {
      throw new TypeError(`No literals for the argument ${name}`);
    }
    return [rejected];
  }

  private directives(): string {
    if (!this.choices.oneIn(6)) return '';
    const directive = () => {
      const value = this.choices.pick(['true', 'false', '$a', '$b', '$c', '$a', '$b']);
      return `@${this.choices.pick(['skip', 'include'])}(if: ${value})`;
    };
    const first = directive();
    const second = directive();
    const isSame = first.slice(0, 5) === second.slice(0, 5);
    return this.choices.oneIn(4) && !isSame ? `${first} ${second}` : first;
  }
}

/** The variables by name: `a`, `b` and `c` are used in directives, the others in arguments. */
function variablesWith(ids: readonly string[]): Readonly<Record<string, Variable>> {
  const boolean = { type: 'Boolean!', values: [true, false] };
  const list = { type: '[ID!]!', values: [ids, ids.slice(0, 2), ids.slice(2), [ids[0], ids[0]], [], ids[1]] };
  const references = ids.slice(0, 4).map((id) => ({ __typename: 'Member', id, name: 'ignored' }));
  return {
    a: boolean,
    b: boolean,
    c: { type: 'Boolean = true', values: [undefined, true, false, null] },
    n: { type: 'Int', values: [1, 2, 3, null, 0, undefined] },
    m: { type: 'Int = 2', values: [undefined, undefined, 1, null] },
    s: { type: 'String', values: ['a', 'First', null, undefined] },
    t: { type: 'String = "First"', values: [undefined, undefined, 'a', null] },
    i: { type: 'ID!', values: ids },
    j: { type: `ID = ${JSON.stringify(ids[0])}`, values: [undefined, undefined, null, ...ids] },
    l: list,
    k: { type: '[ID!]', values: [...list.values, null, undefined] },
    u: { type: '[ID!]', values: [undefined, null, [], ['tag_unknown'], ['', 'mem']] },
    f: { type: 'MemberFilter', values: [undefined, null, {}, { isGuest: null }, { tagId: ids }, { tagId: ids[2] }] },
    o: { type: 'MemberOrder = { field: NAME }', values: [undefined, null, { field: 'UPDATED_AT', direction: 'DESC' }] },
    d: { type: 'OrderDirection! = DESC', values: [undefined, 'ASC', 'DESC'] },
    r: { type: '[_Any!]!', values: [references, references.slice(1), [], [{}], references[0], ['x']] },
    v: { type: 'JSON', values: [undefined, null, 'a', 1, ['a'], { a: { b: [1] } }] },
  };
}

/** Random choices. Smaller and fewer numbers result in simpler documents, which lets fast-check shrink them. */
class Choices {
  private next = 0;

  constructor(private readonly numbers: readonly number[]) {}

  /** Returns true with the probability 1 / `n`. */
  oneIn(n: number): boolean {
    return this.number(n - 1) === n - 1;
  }

  /** An integer from 0 to `max`. */
  number(max: number): number {
    const choice = this.numbers[this.next % this.numbers.length] ?? 0;
    this.next += 1;
    return choice % (max + 1);
  }

  pick<Value>(from: readonly Value[]): Value {
    return from[this.number(from.length - 1)] as Value;
  }
}

/** A literal that every operation rejects. */
const INVALID_TEXT = '"\\u0000"';

/** A literal with the required fields of inputs only; it is rejected because its texts are invalid. */
function rejectedLiteral(type: GraphQLInputType): string {
  if (isNonNullType(type)) return rejectedLiteral(type.ofType);
  if (isListType(type)) return `[${rejectedLiteral(type.ofType)}]`;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${required.map((field) => `${field.name}: ${rejectedLiteral(field.type)}`).join(', ')} }`;
  }
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (type === GraphQLBoolean) return 'false';
  return type === GraphQLInt || type === GraphQLFloat ? '0' : INVALID_TEXT;
}
