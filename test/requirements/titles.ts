/** Reads the titles of all tests from the source files, without running them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';

export interface Title {
  /** Below `test`. */
  file: string;
  /** The titles of the groups and of the test as in the source, e.g. `group › test of %s`. */
  title: string;
}

/** Part of a syntax tree. */
interface Syntax {
  type?: string;
  [member: string]: unknown;
}

/** Sorted by file, then in the order of the source. */
export function titlesBelow(folder: string): Title[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  return names
    .filter((name) => name.endsWith('.ts') && !/(^|\/)node_modules\//.test(name))
    .sort()
    .flatMap((file) =>
      titlesOf(readFileSync(join(folder, file), 'utf8')).map((title) => ({ file, title })),
    );
}

export function titlesOf(source: string): string[] {
  const titles: string[] = [];
  collect(
    parse(source, { sourceType: 'module', plugins: ['typescript', 'decorators-legacy'] }).program,
    [],
    titles,
  );
  return titles;
}

function collect(value: unknown, groups: string[], titles: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const call = Array.isArray(value) ? undefined : titledCall(value as Syntax);
  if (call?.word === 'test') titles.push([...groups, call.title].join(' › '));
  const inside = call?.word === 'describe' ? [...groups, call.title] : groups;
  for (const part of Object.values(value)) collect(part, inside, titles);
}

/** `test('…', …)`, `test.each(…)('…', …)`, and the same of `describe` and of wrappers such as `describeS3`. */
function titledCall(node: Syntax): { word: 'test' | 'describe'; title: string } | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node['callee'] as Syntax;
  const name = nameOf(callee.type === 'CallExpression' ? (callee['callee'] as Syntax) : callee);
  // The arguments of `each` itself are the cases, not the title.
  if (name === undefined || name.endsWith('.each') !== (callee.type === 'CallExpression'))
    return undefined;
  const [first] = node['arguments'] as Syntax[];
  const title = first && textOf(first);
  const word = /^(test|describe)/.exec(name)?.[1] as 'test' | 'describe' | undefined;
  return word !== undefined && title !== undefined ? { word, title } : undefined;
}

/** E.g. `test` or `test.each`; undefined for other expressions. */
function nameOf({ type, name, object, property }: Syntax): string | undefined {
  if (type === 'Identifier') return String(name);
  const of = type === 'MemberExpression' ? nameOf(object as Syntax) : undefined;
  return of && `${of}.${String((property as Syntax)['name'])}`;
}

/** Expressions in a template become `%s`, as in the titles of `each`. */
function textOf({ type, value, quasis }: Syntax): string | undefined {
  if (type === 'StringLiteral') return String(value);
  return type === 'TemplateLiteral'
    ? (quasis as { value: { cooked: string } }[]).map(({ value: { cooked } }) => cooked).join('%s')
    : undefined;
}
