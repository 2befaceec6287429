/** Asks the file server about files, with the stored token of the caller. */
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { Agent, request } from 'node:http';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const key = Buffer.from(
  hkdfSync(
    'sha256',
    Buffer.from(process.env.SECRET_KEY, 'hex'),
    Buffer.alloc(0),
    'moorage seal',
    32,
  ),
);
const agent = new Agent({ keepAlive: true });

export function opened(sealed) {
  const bytes = Buffer.from(sealed.split('.')[2], 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from('storage_tokens.access_token'))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([
    decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
    decipher.final(),
  ]).toString();
}

/** One call for all files. */
export function filesInfo(origin, token, ids) {
  const body = JSON.stringify({ fileIds: ids.map(Number) });
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}ocs/v1.php/apps/integration_openproject/filesinfo`,
      {
        method: 'POST',
        agent,
        headers: {
          'OCS-APIRequest': 'true',
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (res) => {
        const chunks = [];
        res
          .on('data', (chunk) => chunks.push(chunk))
          .once('error', reject)
          .once('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()).ocs.data));
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
