/** Both fakes in their own process. Its first line has the variables with their addresses. It ends with its standard input. */
import { startCloudDrive } from '../support/fakes/cloud-drive.js';
import { startFileServer } from '../../demo/servers/file-server.js';

const [server, drive] = await Promise.all([
  startFileServer({ prefix: '/cloud' }),
  startCloudDrive(),
]);
server.user('mia', { displayName: 'Mia Ray', password: 'planted-mia-password' });
server.appPassword('mia', 'planted-app-password');
const team = server.teamFolder();
server.setClient({
  id: 'client-id-of-ours',
  secret: 'planted-client-secret',
  redirectUri: 'http://127.0.0.1/unused',
});
drive.user('mia', {
  displayName: 'Mia Ray',
  email: 'mia@example.test',
  password: 'planted-mia-password',
});
drive.user('rob', {
  displayName: 'Rob Rye',
  email: 'rob@example.test',
  password: 'planted-rob-password',
});
process.stdout.write(
  `${JSON.stringify({
    CONTRACT_SELF_HOSTED_URL: server.url,
    CONTRACT_SELF_HOSTED_USER: 'mia',
    CONTRACT_SELF_HOSTED_PASSWORD: 'planted-app-password',
    CONTRACT_SELF_HOSTED_TOKEN: server.grant('mia').accessToken,
    CONTRACT_SELF_HOSTED_APPLICATION_PASSWORD: team.password,
    CONTRACT_CLOUD_DRIVE_URL: drive.apiUrl,
    CONTRACT_CLOUD_DRIVE_PERSON: 'rob',
    CONTRACT_CLOUD_DRIVE_DRIVE: drive.driveId,
    CONTRACT_CLOUD_DRIVE_TOKEN: drive.accessToken({ userId: 'mia' }),
    CONTRACT_CLOUD_DRIVE_APPLICATION_TOKEN: drive.accessToken('app'),
  })}\n`,
);
process.stdin.resume().once('end', () => process.exit(0));
