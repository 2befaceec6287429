/** `moorage verify [--no-digests]` */
import {
  verifyBlobs,
  type Finding,
  type Verified,
} from '../../actions/files/attachments/verify-blobs.js';
import { recountUsage, type WrongUsage } from '../../actions/operate/diagnostics/recount-usage.js';
import type { Run } from '../command.js';
import { EXIT } from '../exit-statuses.js';
import { progressOn } from '../progress.js';
import { withMigratedServices } from '../up-to-date.js';

export const verifyCommand: Run<{ digests: boolean }> = async ({ digests, json }) => {
  const progress = progressOn(process.stderr);
  await withMigratedServices(async (services) => {
    const report = json ? asJson() : asText();
    const found = (problem: Problem) => {
      progress.clear();
      report.found(problem);
      process.exitCode = EXIT.failure;
    };
    const verified = await verifyBlobs(services, {
      digests,
      found,
      progress: ({ rows, pictures, objects }) =>
        progress.show(`${rows} attachments, ${pictures} pictures, ${objects} objects`),
    });
    for (const wrong of await recountUsage(services)) found(wrong);
    progress.clear();
    report.end(verified);
  });
};

type Problem = Finding | WrongUsage;

/** Prints problems when they are found: there may be too many for the memory. */
interface Report {
  found(problem: Problem): void;
  end(verified: Verified): void;
}

function asText(): Report {
  let problems = 0;
  return {
    found: (finding) => {
      problems += 1;
      process.stdout.write(`${sentence(finding)}\n`);
    },
    end: ({ rows, pictures, objects }) => {
      const result =
        problems === 0 ? 'all is well' : problems === 1 ? '1 problem' : `${problems} problems`;
      process.stdout.write(
        `Verified ${rows} attachments, ${pictures} pictures and ${objects} objects: ${result}.\n`,
      );
    },
  };
}

function sentence(finding: Problem): string {
  if (finding.problem === 'usage') {
    const { projectId, kind, bytes, files } = finding;
    return (
      `usage       project ${projectId}, ${kind}: the sum was corrected by ${bytes} bytes ` +
      `and ${files} files`
    );
  }
  if (finding.problem === 'unnamed')
    return `unnamed     object ${finding.key} of ${finding.size} bytes: nothing names it`;
  const label = finding.problem.padEnd(10);
  const row =
    'userId' in finding
      ? `picture of user ${finding.userId}`
      : 'previewId' in finding
        ? `preview ${finding.previewId}`
        : `attachment ${finding.id} ${JSON.stringify(finding.fileName)}`;
  return `${label}  ${row}: ${problemOf(finding)}`;
}

function problemOf(finding: Exclude<Finding, { problem: 'unnamed' }>): string {
  const object = `object ${finding.key}`;
  switch (finding.problem) {
    case 'missing':
      return `there is no ${object}`;
    case 'size':
      return `${object} has ${finding.found} bytes instead of ${finding.expected}`;
    case 'digest': {
      const { algorithm, found, expected } = finding;
      return `${object} has the ${algorithm} digest ${found} instead of ${expected}`;
    }
    case 'unreadable':
      return `${object} cannot be read: ${finding.reason}`;
  }
}

/**
 * `{ problems: Problem[], rows, pictures, objects }` with one problem in a line. It prints nothing when the
 * verification fails at once.
 */
function asJson(): Report {
  const start = '{"problems": [';
  let before = `${start}\n`;
  return {
    found: (finding) => {
      process.stdout.write(`${before}  ${JSON.stringify(finding)}`);
      before = ',\n';
    },
    end: ({ rows, pictures, objects }) =>
      void process.stdout.write(
        `${before === ',\n' ? '\n' : start}], ` +
          `"rows": ${rows}, "pictures": ${pictures}, "objects": ${objects}}\n`,
      ),
  };
}
