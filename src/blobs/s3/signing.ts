/** Signs addresses and forms, with which clients reach the store themselves. */
import type { createPresignedPost as CreatePresignedPost } from '@aws-sdk/s3-presigned-post';
import type { Serving, UploadForm, UploadLimits } from '../store.js';
import type { Connection } from './connection.js';
import { present, translated } from './errors.js';

/** A short-lived address of an object. */
export async function signAddress(
  { address, presigner, formatUrl }: Connection,
  method: 'GET' | 'HEAD',
  name: string,
  { contentType, disposition, seconds }: Serving,
): Promise<string> {
  try {
    const request = {
      method,
      protocol: address.protocol,
      hostname: address.hostname,
      ...(address.port && { port: Number(address.port) }),
      path: `${address.pathname.replace(/\/$/, '')}/${name}`,
      headers: {},
      query: {
        'response-content-disposition': disposition,
        'response-content-type': contentType,
      },
    };
    return formatUrl(await presigner.presign(request, { expiresIn: seconds }));
  } catch (error) {
    throw translated(`sign an address of ${name}`, error);
  }
}

/** A form that uploads an object. Each field is a condition: this name, this type, this status. */
export async function signForm(
  { createPresignedPost, publicS3 }: Connection,
  { Bucket, Key }: { Bucket: string; Key: string },
  { size, contentType, seconds }: UploadLimits,
): Promise<UploadForm> {
  try {
    const Fields = { 'Content-Type': contentType, success_action_status: '201' };
    // The package has its own copy of the client's types; only private members differ.
    const client = publicS3 as unknown as Parameters<typeof CreatePresignedPost>[0];
    const { url, fields } = await createPresignedPost(client, {
      Bucket,
      Key,
      Fields,
      Conditions: [['content-length-range', 0, size]],
      Expires: seconds,
    });
    // Stores ignore the case of the names. Clients expect `policy` in lower case.
    const { key: name, Policy: policy, ...others } = fields;
    const ordered = { key: present(name), ...others, policy: present(policy) };
    return {
      href: url,
      method: 'post',
      fields: Object.entries(ordered).map(([field, value]) => ({ name: field, value })),
    };
  } catch (error) {
    throw translated(`sign a form for ${Key}`, error);
  }
}
