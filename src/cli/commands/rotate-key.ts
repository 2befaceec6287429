/** `moorage rotate-key` */
import { rotateSecrets } from '../../actions/operate/secrets/rotate-secrets.js';
import { ConfigError, readConfig } from '../../config.js';
import type { Run } from '../command.js';
import { EXIT } from '../exit-statuses.js';
import { print } from '../output.js';
import { withMigratedServices } from '../up-to-date.js';

export const rotateKeyCommand: Run = async ({ json }) => {
  const { secretKey, secretKeyPrevious } = readConfig(process.env);
  // Outside production, a missing key would be generated here. No server would have that key.
  if (secretKeyPrevious && !secretKey)
    throw new ConfigError([
      'SECRET_KEY is needed beside SECRET_KEY_PREVIOUS: the new key, which the servers have',
    ]);
  await withMigratedServices(async (services) => {
    const report = await rotateSecrets(services);
    print(json, report, () =>
      [
        `Secrets sealed with SECRET_KEY now: ${report.rotated}, before: ${report.current}.`,
        ...(report.broken.length > 0
          ? [
              'Neither SECRET_KEY nor SECRET_KEY_PREVIOUS opens: ' +
                `${report.broken.join(', ')}. Set them again.`,
            ]
          : [
              'Once no server runs with the old key any more, ' +
                'run this again and drop SECRET_KEY_PREVIOUS.',
            ]),
      ].join('\n'),
    );
    if (report.broken.length > 0) process.exitCode = EXIT.failure;
  });
};
