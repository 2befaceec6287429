/** The licences of packages that a bundle contains. Copies of the packages must come with them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param root the folder of the project
 * @param files the files of the bundle, relative to `root`; those of no package are left out
 * @returns one text with the name, the version and the licence of each package
 */
export function licencesOf(root, files) {
  const folders = new Set(
    files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const texts = [...folders]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((folder) => {
      const { name, version, license, licenses } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      );
      const texts = readdirSync(join(root, folder))
        .filter((file) => /^(licen[cs]e|notice)/i.test(file))
        .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
      return [`${name} ${version}: ${license ?? licenses[0].type}`, ...texts].join('\n\n');
    });
  // Some packages are bundles themselves. The licences of their packages are beside them.
  const inner = files
    .map((file) => join(root, `${file}.LICENSE.txt`))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').trim());
  return `${[...texts, ...inner].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
