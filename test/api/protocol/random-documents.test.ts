/** Random queries: a plan gives the data of graphql-js, and fails where graphql-js has an error. */
import {
  getNamedType,
  getVariableValues,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type OperationDefinitionNode,
} from 'graphql';
import { makeContext } from '../../../src/context.js';
import { globalId } from '../../../src/contract/ids.js';
import { interpret, planFor } from '../../../src/graphql/execute.js';
import { schema } from '../../../src/graphql/schema.js';
import { User } from '../../../src/models/user.js';
import { Random } from '../../long/crash/random.js';
import { startApp, type App } from '../../support/app.js';
import { kinds, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const COUNT = Number(process.env['RANDOM_DOCUMENTS'] ?? 1_000);
const SEED = Number(process.env['RANDOM_DOCUMENTS_SEED'] ?? 7);

let app: App;
let person: Person;
const wrongIds = [globalId('WorkPackage', 99_999), 'wrong', '99999', '2'];
const ids: { [type: string]: string } = {};
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  person = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'view_meetings',
    'view_wiki_pages',
    'view_file_links',
  ]);
  for (const kind of kinds) {
    const container = await app.given.container(kind, project, person);
    const attachment = await app.given.attachment({ container, author: person });
    ids[kind] = globalId(kind, container.id);
    ids['Attachment'] = globalId('Attachment', attachment.id);
  }
});
afterAll(() => app.stop());

/** Fields whose values differ from time to time, or that ask a storage. */
const changing =
  /^(attachmentsArchive|contentAddress|downloadLocation|health|files|file|storageFiles)$/;

class Writer {
  readonly #fragments: string[] = [];

  constructor(private readonly random: Random) {}

  document(): string {
    const query = schema.getQueryType()!;
    const selection = this.#selection(query, 0);
    const below = this.#fragments.join(' ');
    const declared = ['$id: ID!', '$missing: Int', '$on: Boolean = true'].filter((variable) =>
      `${selection} ${below}`.includes(variable.split(':')[0]!),
    );
    return `query Q${declared.length > 0 ? `(${declared.join(', ')})` : ''} ${selection} ${below}`;
  }

  #chance(share: number): boolean {
    return this.random.integer(1_000) < share * 1_000;
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.random.integer(all.length)]!;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    const parts = Array.from({ length: 1 + this.random.integer(4) }, () => this.#part(type, depth));
    return `{ __typename ${parts.join(' ')} }`;
  }

  #part(type: GraphQLNamedType, depth: number): string {
    if (isAbstractType(type) && this.#chance(0.5)) {
      const one = this.#pick(schema.getPossibleTypes(type));
      return `... on ${one.name} ${this.#selection(one, depth + 1)}`;
    }
    if (isObjectType(type) && depth > 0 && this.#chance(0.1)) {
      const name = `F${this.#fragments.length}`;
      this.#fragments.push('');
      this.#fragments[Number(name.slice(1))] =
        `fragment ${name} on ${type.name} ${this.#selection(type, depth + 1)}`;
      return `...${name}`;
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return '__typename';
    const fields = Object.values(type.getFields()).filter(
      (field) => !changing.test(field.name) && (depth < 5 || isLeafType(getNamedType(field.type))),
    );
    // Most of the fields that need an id get one that exists.
    const answered = fields.filter(
      ({ args, type: of }) =>
        !args.some(({ type: given }) => getNamedType(given).name === 'ID') ||
        getNamedType(of).name in ids ||
        isAbstractType(getNamedType(of)),
    );
    const field = this.#pick(this.#chance(0.97) ? answered : fields);
    return field ? this.#field(field, depth) : '__typename';
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const type = getNamedType(field.type);
    const args = this.#args(field);
    // Fields of one name with other arguments conflict.
    const alias = args || this.#chance(0.5) ? `a${this.random.integer(1_000_000)}: ` : '';
    const directive = this.#chance(0.02) ? ' @include(if: $on)' : '';
    const below = isLeafType(type) ? '' : ` ${this.#selection(type, depth + 1)}`;
    return `${alias}${field.name}${args}${directive}${below}`;
  }

  #args({ args, type: returned }: GraphQLField<unknown, unknown>): string {
    const given = args.flatMap(({ name, type }) => {
      if (!isNonNullType(type) && this.#chance(0.6)) return [];
      const named = getNamedType(type).name;
      if (named === 'ID')
        return [`${name}: ${this.#chance(0.05) ? '$id' : JSON.stringify(this.#id(returned))}`];
      if (named === 'Int')
        return [`${name}: ${this.#chance(0.2) ? '$missing' : this.random.integer(5)}`];
      if (named === 'Boolean') return [`${name}: ${this.#chance(0.5)}`];
      return isNonNullType(type) ? [`${name}: "x"`] : [];
    });
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  #id(of: GraphQLOutputType): string {
    if (this.#chance(0.05)) return this.#pick(wrongIds);
    return ids[getNamedType(of).name] ?? this.#pick(Object.values(ids));
  }
}

interface Outcome {
  data?: unknown;
  failed?: true;
}

/** Addresses of archives are sealed anew each time. */
const textOf = (outcome: Outcome): string =>
  JSON.stringify(outcome).replaceAll(/access=[\w.-]+/g, 'access=');

test(`${COUNT} random documents have the answers of graphql-js`, async () => {
  const random = new Random(SEED);
  const user = await User.query(app.running.services.db.read).findById(person.id).throwIfNotFound();
  const counts = { valid: 0, planned: 0, failed: 0 };
  const now = new Date();
  for (let number = 0; counts.valid < COUNT && number < COUNT * 20; number += 1) {
    const document = parse(new Writer(random).document());
    // A few fields of one name conflict.
    if (validate(schema, document).length > 0) continue;
    counts.valid += 1;
    const plan = planFor(document);
    const operation = document.definitions[0] as OperationDefinitionNode;
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], {
      id: Object.values(ids)[random.integer(6)],
    });
    if (!plan || !coerced) continue;
    counts.planned += 1;
    const context = () => makeContext({ ...app.running.services, clock: () => now }, user);
    const planned: Outcome = await Promise.resolve()
      .then(() => plan(context(), coerced))
      .then(
        (data) => ({ data }),
        () => ({ failed: true }),
      );
    const { data, errors } = await interpret(document, context(), coerced);
    const interpreted: Outcome = errors ? { failed: true } : { data };
    if (errors) counts.failed += 1;
    expect({ number, answer: textOf(planned) }).toEqual({ number, answer: textOf(interpreted) });
  }
  expect(counts.valid).toBe(COUNT);
  expect(counts.planned).toBeGreaterThan(COUNT / 2);
  expect(counts.failed).toBeGreaterThan(COUNT / 20);
  expect(counts.planned - counts.failed).toBeGreaterThan(COUNT / 10);
}, 600_000);
