import fc from 'fast-check';
import {
  doTypesOverlap,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';

/** A request of a generated document. */
export interface GeneratedRequest {
  readonly query: string;
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Texts of values for arguments, by the name of the argument; some of them are refused. */
export type ArgumentValues = Readonly<Record<string, readonly string[]>>;

/** How large documents become. */
const MAX_DEPTH = 7;
const MAX_SELECTIONS = 5;
const MAX_FRAGMENTS = 4;
const MAX_SIZE = 60;

/** Variables of conditions (two that must be given, one with a default, which may be null) and of arguments. */
const VARIABLES = { a: 'Boolean!', b: 'Boolean!', c: 'Boolean = true', n: 'Int', s: 'String', i: 'ID!' } as const;

/** Response names that mean something to JavaScript or in SQL, one for each field, so that fields can be merged. */
const NAMES: Readonly<Record<string, string>> = {
  firstName: 'record',
  name: 'record',
  title: 'record',
  lastName: '__proto__',
  city: 'constructor',
  tags: 'position',
  departments: 'json',
  createdAt: 'x'.repeat(64),
};

/**
 * Requests of valid documents of a schema: aliases, fields that are selected twice, fragments that are used twice and
 * nested, type conditions on objects and interfaces, `@skip` and `@include` by literals and variables on every kind of
 * selection, and two operations in one document, requested in both orders and again.
 */
export function generatedRequests(schema: GraphQLSchema, values: ArgumentValues): fc.Arbitrary<GeneratedRequest[]> {
  return fc
    .array(fc.nat(9_999), { minLength: 20, maxLength: 400, size: 'max' })
    .map((choices) => new Generator(schema, values, choices).requests())
    .filter(([request]) => request !== undefined && validate(schema, parse(request.query)).length === 0);
}

class Generator {
  private readonly fragments: { name: string; type: GraphQLCompositeType; body: string }[] = [];
  private selections = 0;
  private next = 0;
  private readonly ids: readonly string[];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly values: ArgumentValues,
    /** What is chosen at each step: smaller numbers and fewer of them make simpler documents. */
    private readonly choices: readonly number[],
  ) {
    this.ids = (values.id ?? []).filter((text) => text.startsWith('"')).map((text) => JSON.parse(text) as string);
  }

  requests(): GeneratedRequest[] {
    const composite = Object.values(this.schema.getTypeMap()).filter(
      (type): type is GraphQLCompositeType => isCompositeType(type) && !type.name.startsWith('__'),
    );
    for (let n = this.number(MAX_FRAGMENTS); n > 0; n -= 1) {
      const type = this.one(composite);
      // A fragment spreads those that were made before it: no cycles.
      const body = this.selectionSet(type, 3);
      this.fragments.push({ name: `F${this.fragments.length}`, type, body });
    }
    const isMutation = this.chance(8);
    const root = (isMutation ? this.schema.getMutationType() : this.schema.getQueryType()) as GraphQLCompositeType;
    const keyword = isMutation ? 'mutation' : 'query';
    const bodies = this.chance(4)
      ? [this.selectionSet(root, 1), this.selectionSet(root, 1)]
      : [this.selectionSet(root, 1)];
    const operations = bodies.map((body, n) => `${keyword} Q${n}${this.definitions(body)} ${body}`);
    const query = [...operations, ...this.used(bodies.join())].join('\n');
    const requests = bodies.map((_, n) => ({ query, operationName: `Q${n}`, variables: this.conditionValues() }));
    const first = requests[0] as GeneratedRequest;
    const again = { ...first, variables: this.conditionValues() };
    return [...(this.chance(2) ? requests : requests.toReversed()), again, first];
  }

  private conditionValues(): Record<string, unknown> {
    const [a, b] = [this.chance(2), this.chance(2)];
    const c = this.one([undefined, true, false, null]);
    const given = { a, b, n: this.one([1, 2, 3, null, 0]), s: this.one(['a', 'First', null]), i: this.one(this.ids) };
    return c === undefined ? given : { ...given, c };
  }

  private definitions(body: string): string {
    const text = [body, ...this.used(body)].join();
    const names = (Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]).filter((name) =>
      new RegExp(`\\$${name}\\b`).test(text),
    );
    return names.length === 0 ? '' : `(${names.map((name) => `$${name}: ${VARIABLES[name]}`).join(', ')})`;
  }

  /** The definitions of the fragments that a selection uses. */
  private used(body: string): string[] {
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
    for (let n = 1 + this.number(MAX_SELECTIONS - 1); n > 0; n -= 1) selections.push(this.selection(type, depth));
    if (this.chance(5)) selections.push(this.one(selections));
    return `{ ${selections.join(' ')} }`;
  }

  private selection(type: GraphQLCompositeType, depth: number): string {
    this.selections += 1;
    const spreadable = this.fragments.filter((fragment) => doTypesOverlap(this.schema, fragment.type, type));
    if (spreadable.length > 0 && this.chance(4)) return `...${this.one(spreadable).name} ${this.conditions()}`;
    if (depth < MAX_DEPTH && this.selections < MAX_SIZE && this.chance(6)) {
      const conditioned = this.one([undefined, type, ...this.overlapping(type)]);
      const on = conditioned ? ` on ${conditioned.name}` : '';
      return `...${on} ${this.conditions()} ${this.selectionSet(conditioned ?? type, depth + 1)}`;
    }
    return this.field(type, depth);
  }

  /** The types on which a fragment inside of a selection may be. */
  private overlapping(type: GraphQLCompositeType): GraphQLCompositeType[] {
    const possible = isInterfaceType(type) ? [...this.schema.getPossibleTypes(type)] : [];
    const interfaces = isObjectType(type) ? [...type.getInterfaces()] : [];
    return [...possible, ...interfaces];
  }

  private field(type: GraphQLCompositeType, depth: number): string {
    const all = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const isDeep = depth >= MAX_DEPTH || this.selections >= MAX_SIZE;
    const usable = all.filter((field) => !isDeep || !isCompositeType(getNamedType(field.type)));
    if (usable.length === 0 || this.chance(8)) return `${this.one(['', '', 'kind: '])}__typename ${this.conditions()}`;
    // Paths into lists are preferred: most fields are scalars, and most documents would end early.
    const nested = usable.filter((field) => isCompositeType(getNamedType(field.type)));
    const field = nested.length > 0 && this.chance(2) ? this.one(nested) : this.one(usable);
    const { text, number } = this.arguments(field);
    // One name for each combination of arguments, so that fields of one name can be merged.
    const alias =
      number > 0
        ? `${field.name}_${number}: `
        : this.one(['', '', `${field.name}_x: `, `${NAMES[field.name] ?? field.name}: `]);
    const named = getNamedType(field.type);
    const below = isCompositeType(named) ? this.selectionSet(named, depth + 1) : '';
    return `${alias}${field.name}${text} ${this.conditions()} ${below}`;
  }

  private arguments(field: GraphQLField<unknown, unknown>): { text: string; number: number } {
    let number = 0;
    const given = field.args.flatMap((argument) => {
      const texts = this.textsOf(argument);
      const isRequired = isNonNullType(argument.type);
      const chosen = isRequired ? 1 + this.number(texts.length - 1) : this.chance(2) ? 0 : this.number(texts.length);
      number = number * (texts.length + 1) + chosen;
      return chosen === 0 ? [] : [`${argument.name}: ${texts[chosen - 1]}`];
    });
    return { text: given.length === 0 ? '' : `(${given.join(', ')})`, number };
  }

  private textsOf({ name }: GraphQLArgument): readonly string[] {
    const texts = this.values[name];
    if (!texts) throw new TypeError(`there are no values for the argument ${name}`);
    return texts;
  }

  private conditions(): string {
    if (!this.chance(6)) return '';
    const directive = () => {
      const value = this.one(['true', 'false', '$a', '$b', '$c', '$a', '$b']);
      return `@${this.one(['skip', 'include'])}(if: ${value})`;
    };
    const first = directive();
    const second = directive();
    const isSame = first.slice(0, 5) === second.slice(0, 5);
    return this.chance(4) && !isSame ? `${first} ${second}` : first;
  }

  /** Once in so many times. */
  private chance(times: number): boolean {
    return this.number(times - 1) === times - 1;
  }

  /** From 0. */
  private number(max: number): number {
    const choice = this.choices[this.next % this.choices.length] ?? 0;
    this.next += 1;
    return choice % (max + 1);
  }

  private one<Value>(from: readonly Value[]): Value {
    return from[this.number(from.length - 1)] as Value;
  }
}
