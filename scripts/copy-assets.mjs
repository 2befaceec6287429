/** Files that the compiler does not carry into dist. */
import { chmodSync } from 'node:fs';

chmodSync(new URL('../dist/cli/moorage.cjs', import.meta.url), 0o755);
