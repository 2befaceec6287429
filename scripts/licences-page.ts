/** `docs/reference/generated/licences.md`: the packages of an installation and their licences. */
import { readFileSync } from 'node:fs';

/** Licences that require only that their text is kept. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  '(BSD-2-Clause OR MIT OR Apache-2.0)',
  '(MIT AND BSD-3-Clause)',
  '(MIT OR WTFPL)',
  // A library of its own in an optional package, which everybody can replace or leave out.
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
]);

interface Locked {
  version: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  /** The place is a workspace of this project. */
  link?: boolean;
}

const HEAD = `<!-- Generated from package-lock.json: npm run generate -->
# Licences

Moorage has the MIT licence. It is installed with these packages. Those of sharp are optional:
npm installs the ones for the system, and Moorage runs without them.
`;

/** @throws if the licence of a package is not in one of the lists */
export function licencesPage(root: URL): string {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
    packages: { [place: string]: Locked };
  };
  const rows = Object.entries(packages)
    .filter(
      ([place, { dev, devOptional, link }]) =>
        place.includes('node_modules/') && !link && !dev && !devOptional,
    )
    .map(([place, { version, license }]) => {
      const licence = license ?? olderForm(new URL(`${place}/package.json`, root));
      if (!ALLOWED.has(licence))
        throw new Error(
          `${place} has the licence ${licence}: judge it, and add it to scripts/licences-page.ts.`,
        );
      return `| ${place.replace(/^.*node_modules\//, '')} | ${version} | ${licence} |`;
    });
  return `${HEAD}\n| Package | Version | Licence |\n|---|---|---|\n${[...new Set(rows)].sort().join('\n')}\n`;
}

/** `licenses`, a list, which package-lock.json does not have. */
function olderForm(file: URL): string {
  const { licenses } = JSON.parse(readFileSync(file, 'utf8')) as { licenses?: { type: string }[] };
  return licenses?.length === 1 ? licenses[0]!.type : 'unknown';
}
