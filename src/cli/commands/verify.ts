/** `moorage verify [--no-digests]` */
import { parseArgs } from 'node:util';
import {
  verifyBlobs,
  type Finding,
  type Verified,
} from '../../actions/attachments/verify-blobs.js';
import type { Run } from '../usage.js';
import { progressOn } from '../progress.js';
import { withMigratedServices } from '../up-to-date.js';

export const verifyCommand: Run = async (args) => {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: { digests: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  const { digests = true, json = false } = values;
  const progress = progressOn(process.stderr);
  await withMigratedServices(async (services) => {
    const report = json ? asJson() : asText();
    const verified = await verifyBlobs(services, {
      digests,
      found: (finding) => {
        progress.clear();
        report.found(finding);
        process.exitCode = 1;
      },
      progress: ({ rows, objects }) => progress.show(`${rows} attachments, ${objects} objects`),
    });
    progress.clear();
    report.end(verified);
  });
};

/** Problems are printed as they are found: there may be as many as files. */
interface Report {
  found(finding: Finding): void;
  end(verified: Verified): void;
}

function asText(): Report {
  let problems = 0;
  return {
    found: (finding) => {
      problems += 1;
      process.stdout.write(`${sentence(finding)}\n`);
    },
    end: ({ rows, objects }) => {
      const result =
        problems === 0 ? 'all is well' : problems === 1 ? '1 problem' : `${problems} problems`;
      process.stdout.write(`Verified ${rows} attachments and ${objects} objects: ${result}.\n`);
    },
  };
}

function sentence(finding: Finding): string {
  if (finding.problem === 'unnamed')
    return `unnamed     object ${finding.key} of ${finding.size} bytes: no attachment names it`;
  const place = `attachment ${finding.id} ${JSON.stringify(finding.fileName)}`;
  switch (finding.problem) {
    case 'missing':
      return `missing     ${place}: there is no object ${finding.key}`;
    case 'size':
      return `size        ${place}: object ${finding.key} has ${finding.found} bytes instead of ${finding.expected}`;
    case 'digest':
      return `digest      ${place}: object ${finding.key} has the ${finding.algorithm} digest ${finding.found} instead of ${finding.expected}`;
    case 'unreadable':
      return `unreadable  ${place}: object ${finding.key} cannot be read: ${finding.reason}`;
  }
}

/** `{ problems: Finding[], rows, objects }`, one problem a line; nothing where nothing could be verified. */
function asJson(): Report {
  const start = '{"problems": [';
  let before = `${start}\n`;
  return {
    found: (finding) => {
      process.stdout.write(`${before}  ${JSON.stringify(finding)}`);
      before = ',\n';
    },
    end: ({ rows, objects }) =>
      void process.stdout.write(
        `${before === ',\n' ? '\n' : start}], "rows": ${rows}, "objects": ${objects}}\n`,
      ),
  };
}
