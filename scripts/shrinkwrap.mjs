/** The exact versions of all that the program needs, for those who install the package: `package-lock.json` does not travel with it. */
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { '': { devDependencies: _, ...own }, ...others } = lock.packages;
const needed = Object.entries(others).filter(([, { dev }]) => !dev);
writeFileSync('npm-shrinkwrap.json', `${JSON.stringify({ ...lock, packages: { '': own, ...Object.fromEntries(needed) } }, null, 2)}\n`);
