/** All rows: the endpoints, members, links, rules, states, errors and limits of the interface, then the choices. */
import type { Row } from '../row.js';
import { additionRows } from './additions.js';
import { administrationRows } from './administration.js';
import { attachmentRows } from './attachments.js';
import { choiceRows } from './choices.js';
import { dialectRows } from './dialects.js';
import { endpointRows } from './endpoints.js';
import { fileLinkRows } from './file-links.js';
import { frontEndRows } from './front-ends.js';
import { graphListRows } from './graph-lists.js';
import { identityRows } from './identity.js';
import { projectFolderRows } from './project-folders.js';
import { ruleRows } from './rules.js';
import { stateRows } from './states.js';
import { storageEndpointRows } from './storage-endpoints.js';
import { storageRows } from './storages.js';
import { uploadRows } from './uploads.js';

const all = [
  attachmentRows,
  uploadRows,
  fileLinkRows,
  storageRows,
  endpointRows,
  storageEndpointRows,
  ruleRows,
  dialectRows,
  additionRows,
  administrationRows,
  graphListRows,
  frontEndRows,
  projectFolderRows,
  choiceRows,
  identityRows,
  stateRows,
].flat();

/** `2.10` comes after `2.9`. The choices come last. */
const rank = (section: string): number[] => [
  Number(section.startsWith('D')),
  ...section.replace('D', '').split('.').map(Number),
];
const compare = (a: Row, b: Row): number => {
  const [left, right] = [rank(a.section), rank(b.section)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : left[at]! - (right[at] ?? 0);
};

export const rows: readonly Row[] = [...all].sort(compare);
