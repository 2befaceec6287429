/** Webhooks about the virus scan, with a real clamd. */
import { Webhook as Verifier } from 'standardwebhooks';
import { startApp, type App } from '../../support/app.js';
import {
  describeClamd,
  EICAR,
  EICAR_SIGNATURE,
  startClamd,
  type Clamd,
} from '../../support/clamd.js';
import { until } from '../../support/cli.js';
import { TIME } from '../../support/expected.js';
import { serveFake, type FakeServer } from '../../../demo/servers/http-server.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const CREATE = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }';

describeClamd('webhooks', () => {
  let clamd: Clamd;
  let receiver: FakeServer;
  let app: App;
  beforeAll(async () => {
    clamd = await startClamd();
    receiver = await serveFake((_request, response) => void response.writeHead(204).end());
    app = await startApp({
      CLAMD_URL: `tcp://${clamd.tcp.host}:${clamd.tcp.port}`,
      BACKGROUND_WORK: 'true',
    });
  });
  afterAll(async () => {
    await app?.stop();
    await receiver?.close();
    await clamd?.stop();
  });

  test('each verdict of the virus scan is delivered once, signed, with its attachment', async () => {
    const admin = await app.given.user({ admin: true });
    const project = await app.given.project();
    const member = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
    const workPackage = await app.given.workPackage(project, member);
    const { data } = await app.graphql(
      CREATE,
      {
        input: {
          url: `${receiver.url}/hook`,
          events: ['ATTACHMENT_SCANNED', 'ATTACHMENT_QUARANTINED'],
        },
      },
      admin,
    );
    const upload = async (content: string | Uint8Array): Promise<number> =>
      (await app.upload(workPackage.attachments, { as: member, fileName: 'a.txt', content })).body
        .id;
    const [clean, infected] = [await upload('harmless'), await upload(EICAR)];
    await until(() => receiver.requests.length >= 2, 'both are posted');

    const verifier = new Verifier(data.createWebhook.secret);
    const receivedEvents = receiver.requests.map(
      ({ body, headers }) =>
        verifier.verify(body.toString(), headers as { [name: string]: string }) as {
          data: { id: number };
        },
    );
    const about = (id: number, fileSize: number, status: string) => ({
      id,
      href: `/api/v3/attachments/${id}`,
      authorId: member.id,
      projectId: project.id,
      container: { type: 'WorkPackage', id: workPackage.id },
      fileName: 'a.txt',
      fileSize,
      contentType: 'text/plain',
      status,
    });
    expect(receivedEvents.sort((a, b) => a.data.id - b.data.id)).toEqual([
      { type: 'attachment:scanned', timestamp: TIME, data: about(clean, 8, 'scanned') },
      {
        type: 'attachment:quarantined',
        timestamp: TIME,
        data: { ...about(infected, EICAR.length, 'quarantined'), reason: EICAR_SIGNATURE },
      },
    ]);
  });
});
