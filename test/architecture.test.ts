/** The rules of the house, executed: who may import whom, one place for statuses, no drift of generated files. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { containerTypes } from '../src/contract/container-kinds.js';
import { printedSchema, schema } from '../src/graphql/schema.js';
import { describe, expect, test } from './support/jest.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const src = join(root, 'src');

/** Rooms that everybody may import. */
const common = ['contract', 'concurrency'];

/** The floors of actions, from the bottom up: each may import those below it. */
const floors = ['base', 'people', 'storages', 'files', 'containers', 'operate'].map(
  (floor) => `actions/${floor}`,
);
const belowActions = [
  'audit',
  'context',
  'models',
  'policies',
  'blobs',
  'storages',
  'events',
  'scanning',
  'mail',
  'drawing',
  'secrets',
  'outbound',
  'database',
  'auth/connections',
  'auth/one-time-links',
  'auth/openid',
  'auth/password-sign-in',
  'loaders',
  'lists',
  'http/incoming-file',
];

/** Room → rooms and modules that it may import besides its own. Imports of types count. */
const rules: { [room: string]: string[] } = {
  contract: [],
  concurrency: [],
  observability: [],
  http: [],
  outbound: ['observability'],
  database: [],
  secrets: [],
  blobs: [],
  scanning: [],
  mail: [],
  drawing: [],
  storages: ['outbound'],
  models: ['storages/types'],
  audit: ['models', 'storages/types'],
  policies: ['models', 'database'],
  events: ['models', 'policies', 'database'],
  loaders: ['models', 'policies', 'database', 'storages/types'],
  lists: ['models', 'policies', 'database', 'loaders/document-budget'],
  auth: ['audit', 'models', 'secrets', 'outbound', 'database', 'observability'],
  config: ['blobs', 'scanning', 'mail', 'database', 'auth/openid/settings', 'storages/types'],
  context: [
    'audit',
    'config',
    'loaders',
    'auth',
    'blobs',
    'database',
    'drawing',
    'events',
    'mail',
    'models',
    'observability',
    'outbound',
    'policies',
    'scanning',
    'secrets',
    'storages',
  ],
  ...Object.fromEntries(
    floors.map((floor, index) => [floor, [...belowActions, ...floors.slice(0, index)]]),
  ),
  resolvers: [
    'actions',
    'context',
    'models',
    'policies',
    'loaders',
    'lists',
    'http/incoming-file',
    'storages/types',
  ],
  graphql: ['resolvers', 'context', 'http', 'auth', 'loaders/document-budget'],
  rest: ['graphql', 'context', 'http', 'auth', 'storages/types'],
  tus: ['actions/files', 'blobs', 'context', 'http'],
  openapi: [
    'graphql/schema',
    'graphql/enum-words',
    'rest/generated',
    'rest/represent/urns',
    'storages/types',
  ],
  pages: ['audit', 'auth', 'context', 'rest/documents', 'rest/generated'],
  workers: ['actions', 'models', 'context', 'scanning', 'mail', 'drawing', 'observability'],
  services: [
    'config',
    'context',
    'auth',
    'blobs',
    'database',
    'drawing',
    'events',
    'mail',
    'outbound',
    'secrets',
    'observability',
    'policies',
    'scanning',
    'models',
  ],
  server: [
    'config',
    'context',
    'auth',
    'database',
    'graphql',
    'http',
    'observability',
    'pages',
    'policies',
    'rest',
    'services',
    'tus',
    'workers',
    'models',
  ],
  cli: [
    'actions',
    'audit',
    'server',
    'services',
    'config',
    'database',
    'context',
    'observability',
    'graphql/schema',
    'models',
  ],
};

/** Single files that may do what their room may not. */
const exceptions: { [file: string]: string[] } = {
  // Blob keys never enter the graph: the action checks permission and scan status, and returns the stream.
  'rest/routes/content.ts': [
    'actions/files/attachments/content-address',
    'actions/files/attachments/open-content',
  ],
  'rest/request/temporary-access.ts': ['actions/files/attachments/temporary-address'],
  'rest/routes/archive.ts': [
    'actions/files/attachments/archive-address',
    'actions/files/attachments/open-archive',
  ],
  'rest/routes/previews.ts': ['actions/files/previews/open-preview'],
  'rest/routes/avatar.ts': ['actions/files/avatars/open-avatar'],
  // The addresses of the administration exist for administrators only.
  'pages/application.ts': ['policies/can'],
  // A browser that connects a user to a storage calls no other API.
  'pages/connection.ts': ['actions/storages/connections'],
  // Who has a one-time link has no account that could call another API.
  'pages/setup.ts': [
    'actions/people/directory/first-administrator',
    'actions/operate/diagnostics/inspect-service',
  ],
  // The audit is longer than an answer of the graph may be.
  'pages/audit-export.ts': ['actions/operate/audit/export-audit', 'policies/can'],
  'pages/password-link.ts': [
    'actions/people/directory/set-password',
    'actions/people/mails/mail-password-link',
  ],
  // Programs that read e-mails know no other interface.
  'pages/unsubscribe.ts': ['actions/people/mails'],
};

/** The description is made before the program runs, so its room lies beside `src`. */
const OUTSIDE = 'openapi';

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
const files = [
  ...filesIn(src),
  ...filesIn(join(root, OUTSIDE)).map((name) => `${OUTSIDE}/${name}`),
];
/** The path of a file of a room. */
const pathOf = (name: string) => join(name.startsWith(`${OUTSIDE}/`) ? root : src, name);

function roomOf(module: string): string {
  const [first, second] = module.replace(/\.ts$/, '').split('/') as [string, string | undefined];
  return first === 'actions' && second !== undefined ? `${first}/${second}` : first;
}

/** The folders of a floor, in alphabetical order. */
const subjectsOf = (floor: string) => readdirSync(join(src, floor)).sort();

interface Import {
  file: string;
  target: string;
}

export function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(
    /^\s*(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'(\.{1,2}\/[^']+)'/gms,
  );
  const dynamic = text.matchAll(/\bimport\('(\.{1,2}\/[^']+)'\)/g);
  return [...statements, ...dynamic].map((match) => ({
    file,
    target: normalize(join(dirname(file), match[1]!)).replace(/^src\/|\.js$/g, ''),
  }));
}

export function violations(imports: Import[]): string[] {
  return imports
    .filter(({ file, target }) => {
      const room = roomOf(file);
      const allowed = [room, ...(rules[room] ?? []), ...common, ...(exceptions[file] ?? [])];
      return !allowed.some((one) => target === one || target.startsWith(`${one}/`));
    })
    .map(({ file, target }) => `${file} imports ${target}`);
}

/** Groups of nodes that reach each other. */
export function circles(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = (from: string) => {
    const reached = new Set<string>();
    const open = [...(arrows.get(from) ?? [])];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (reached.has(node)) continue;
      reached.add(node);
      open.push(...(arrows.get(node) ?? []));
    }
    return reached;
  };
  const reached = new Map([...arrows.keys()].map((node) => [node, reach(node)]));
  const groups = new Map<string, string[]>();
  for (const [node, others] of reached) {
    if (!others.has(node)) continue;
    const group = [...others].filter((other) => reached.get(other)?.has(node)).sort();
    groups.set(group.join(), group);
  }
  return [...groups.values()];
}

function arrowsOf(
  imports: readonly Import[],
  name: (module: string) => string,
): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [name(file.replace(/\.ts$/, '')), name(target)];
    if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
  }
  return arrows;
}

const sources = files.map((file) => ({ file, text: readFileSync(pathOf(file), 'utf8') }));
const allImports = sources.flatMap(({ file, text }) => importsOf(file, text));

describe('rooms', () => {
  test('every file lives in a room that has an import rule', () => {
    expect(files.filter((file) => !(roomOf(file) in rules))).toEqual([]);
  });

  test('no room imports what its rule does not name', () => {
    expect(violations(allImports)).toEqual([]);
  });

  test('no files import each other in a circle', () => {
    expect(circles(arrowsOf(allImports, (module) => module))).toEqual([]);
  });

  test.each(['client/src', 'web/src', 'web/developers', 'bench'])(
    'no files of %s import each other in a circle',
    (folder) => {
      const imports = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /^(?!.*node_modules\/).*\.(tsx?|mjs)$/.test(name))
        .flatMap((name) => importsOf(name, readFileSync(join(root, folder, name), 'utf8')));
      const module = (path: string) => path.replace(/\.(tsx?|mjs)$/, '').replace(/\/index$/, '');
      expect(circles(arrowsOf(imports, module))).toEqual([]);
    },
  );

  test('no rooms, and no folders of a room, import each other in a circle', () => {
    expect(circles(arrowsOf(allImports, roomOf))).toEqual([]);
    const actions = allImports.filter(
      ({ file, target }) => file.startsWith('actions/') && target.startsWith('actions/'),
    );
    expect(circles(arrowsOf(actions, dirname))).toEqual([]);
  });

  test('every rule names rooms and modules that exist', () => {
    const exists = (module: string) =>
      [src, root].some((place) => existsSync(join(place, module))) ||
      existsSync(join(src, `${module}.ts`));
    const named = [
      ...common,
      ...Object.entries(rules).flatMap(([room, allowed]) => [room, ...allowed]),
      ...Object.values(exceptions).flat(),
    ];
    expect([...new Set(named)].filter((module) => !exists(module))).toEqual([]);
  });

  test('the page of the architecture has the same rules', () => {
    const page = readFileSync(join(root, 'docs/explanation/architecture.md'), 'utf8');
    const named = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const [, section = ''] = /\n## Rooms\n(.*?)\n## /s.exec(page)!;
    const [table, order] = section.split('\n| floor |') as [string, string];
    const onPage = Object.fromEntries(
      [...table.matchAll(/^\| `([\w-]+)` \|.*\| (.*) \|$/gm)].map(([, room, imports]) => [
        room!,
        named(imports!).sort(),
      ]),
    );
    const inRules = Object.fromEntries(
      Object.entries(rules)
        .filter(([room]) => !floors.includes(room))
        .concat([['actions', belowActions]])
        .map(([room, imports]) => [room, [...imports].sort()]),
    );
    expect(onPage).toEqual(inRules);
    expect([...order.matchAll(/^\| `.*$/gm)].map(([line]) => named(line))).toEqual(
      floors.map((floor) => [floor.split('/')[1], ...subjectsOf(floor)]),
    );
    for (const file of Object.keys(exceptions)) expect(section).toContain(`\`${file}\``);
  });

  test('the checks notice a broken rule and a circle, also of types', () => {
    const broken =
      "import type { A } from '../models/a.js';\nimport { User } from '../models/user.js';\nexport { x } from '../policies/can.js';\nawait import('../actions/go.js');";
    expect(violations(importsOf('rest/hal.ts', broken))).toEqual([
      'rest/hal.ts imports models/a',
      'rest/hal.ts imports models/user',
      'rest/hal.ts imports policies/can',
      'rest/hal.ts imports actions/go',
    ]);
    expect(
      violations([
        ...importsOf('rest/hal.ts', "import { openApi } from '../../openapi/index.js';"),
        ...importsOf('openapi/a.ts', "import { b } from './b.js';"),
        ...importsOf('openapi/a.ts', "import { schema } from '../src/graphql/schema.js';"),
        ...importsOf('openapi/a.ts', "import { User } from '../src/models/user.js';"),
      ]),
    ).toEqual(['rest/hal.ts imports ../openapi/index', 'openapi/a.ts imports models/user']);
    const circle = [
      ...importsOf('models/a.ts', "import type { B } from './b.js';"),
      ...importsOf('models/b.ts', "import type { C } from '../policies/c.js';"),
      ...importsOf(
        'policies/c.ts',
        "import { A } from '../models/a.js';\nimport { D } from './d.js';",
      ),
    ];
    expect(circles(arrowsOf(circle, (module) => module))).toEqual([
      ['models/a', 'models/b', 'policies/c'],
    ]);
    expect(circles(arrowsOf(circle, roomOf))).toEqual([['models', 'policies']]);
  });

  test('only config.ts and the command line read the environment', () => {
    expect(
      sources
        .filter(
          ({ file, text }) =>
            text.includes('process.env') && file !== 'config.ts' && !file.startsWith('cli/'),
        )
        .map(({ file }) => file),
    ).toEqual([]);
  });

  test('error statuses are written in contract/errors.ts only', () => {
    const written = /\bstatus\w*\W{1,4}[45]\d\d\b|\bsendStatus\(/i;
    // Those of others are read where they are met.
    const foreign = /^(storages\/|outbound\/client\.ts|auth\/connections\/grants\.ts|openapi\/)/;
    expect(
      sources
        .filter(
          ({ file, text }) =>
            file !== 'contract/errors.ts' && !foreign.test(file) && written.test(text),
        )
        .map(({ file }) => file),
    ).toEqual([]);
  });

  test('loaders, lists and resolvers read rows that not everybody sees through visible', () => {
    const others =
      'Attachment|FileLink|Membership|Notification|Project|ProjectStorage|Role|Status|Storage|' +
      'StorageAccount|Type|User';
    const bare = new RegExp(`\\b(${containerTypes.join('|')}|${others})\\.query\\(`);
    expect(
      sources
        .filter(({ file, text }) => /^(resolvers|loaders|lists)\//.test(file) && bare.test(text))
        .map(({ file }) => file),
      // These belong to a visible container, are for administrators, or are limited by their filters.
    ).toEqual(
      [
        'attachments',
        'by-creation',
        'found-attachments',
        'notifications',
        'projects',
        'users',
        'work-packages',
      ].map((name) => `lists/${name}.ts`),
    );
  });

  test("a user's reads go through sight: resolvers and actions never query a container or attachment bare", () => {
    const bare = new RegExp(
      `\\b(${[...containerTypes, 'Attachment'].join('|')})\\.query\\((?:context\\.)?db\\.read\\)`,
    );
    // These work for nobody, in the background and on the command line, or for administrators.
    const nobodys = [
      'actions/files/attachments/verify-blobs.ts',
      'actions/operate/cleanup/run-cleanup.ts',
      'actions/operate/demo/tell-story.ts',
      'actions/operate/diagnostics/queues.ts',
      'actions/operate/diagnostics/try-scanner.ts',
    ];
    expect(
      sources
        .filter(({ file, text }) => /^(resolvers|actions)\//.test(file) && bare.test(text))
        .map(({ file }) => file),
    ).toEqual(nobodys);
  });
});

describe('generated files', () => {
  test('schema.graphql is what the resolvers make', () => {
    expect(readFileSync(join(root, 'schema.graphql'), 'utf8')).toBe(printedSchema());
  });

  test('no generated file is stale', () => {
    const check = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'scripts/generate.ts', '--check'],
      { cwd: root, encoding: 'utf8' },
    );
    expect({ status: check.status, stderr: check.stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('generated text lies in folders with this name, and two files at the top', () => {
    const written = readdirSync(root)
      .filter((name) => !/^(\.git|assets|builds|coverage|data|dist|node_modules)$/.test(name))
      .flatMap((name) => [
        name,
        ...(statSync(join(root, name)).isDirectory()
          ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map(
              (path) => `${name}/${path}`,
            )
          : []),
      ])
      .filter((path) => !/(^|\/)(node_modules|dist)(\/|$)/.test(path));
    const isFile = (path: string) => statSync(join(root, path)).isFile();
    const generated = written.filter((path) => path.includes('/generated/') && isFile(path));
    expect([...new Set(generated.map((path) => dirname(path)))].sort()).toEqual([
      'client/src/generated',
      'docs/reference/generated',
      'examples/own-documents/generated',
      'openapi/generated',
      'src/rest/generated',
      'web/src/administration/generated',
      'web/src/generated',
    ]);
    // What the pages and the typed documents begin with.
    const head = /^(\/\*|<!--|#) Generated from .*: npm run generate/;
    expect(
      written.filter(
        (path) =>
          !generated.includes(path) &&
          /\.(ts|md|graphql|json|example)$/.test(path) &&
          isFile(path) &&
          head.test(readFileSync(join(root, path), 'utf8')),
      ),
    ).toEqual(['.env.example']);
  });

  test('every type, field, argument and value of the schema is described', () => {
    const missing: string[] = [];
    const note = (name: string, described: { description?: string | null }) => {
      if (!described.description) missing.push(name);
    };
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (!isScalarType(type) || !['Int', 'Float', 'String', 'Boolean', 'ID'].includes(type.name))
        note(type.name, type);
      if (isEnumType(type))
        for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        note(`${type.name}.${field.name}`, field);
        if ('args' in field)
          for (const argument of field.args)
            note(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
    expect(missing).toEqual([]);
  });
});

describe('the tree', () => {
  test('names are kebab-case', () => {
    expect(files.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.d)?\.ts$/.test(file))).toEqual([]);
  });

  test('no test is focused', () => {
    const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.includes('node_modules/'),
    );
    const focused = /\b(describe|test|it)\.only\b|\bf(it|describe)\(/;
    // Helpers leave out what cannot run here, and say why in the title.
    const left = /\b(describe|test|it)\.skip(\.each)?\(|\bx(it|describe)\(/;
    const wrong = (name: string, text: string) =>
      focused.test(text) || (name.endsWith('.test.ts') && left.test(text));
    expect(
      tests.filter(
        (name) =>
          !name.endsWith('architecture.test.ts') &&
          wrong(name, readFileSync(join(root, 'test', name), 'utf8')),
      ),
    ).toEqual([]);
  });
});
