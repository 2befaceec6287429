/** What the creation of file links says about each file. */
import { ID } from 'type-graphql';
import { ByteCount } from '../models/byte-count.js';
import { inputType, optional } from './mutation.js';

const OriginDataInput = inputType(
  'OriginDataInput',
  'What the client knows about a file in a storage. ' +
    'The service updates it as soon as the storage is asked.',
  {
    id: optional(String, 'Required. Id of the file in the storage, at most 100 characters.'),
    name: optional(String, 'Required. Name of the file, at most 255 characters.'),
    mimeType: optional(
      String,
      'Media type, at most 255 characters; `application/x-op-directory` for a folder. ' +
        'Default: unknown (null), as for all optional members.',
    ),
    size: optional(ByteCount, 'Size in bytes.'),
    createdAt: optional(
      String,
      'When the file was created: ISO 8601 date and time. UTC if it names no time zone. ' +
        'The time 0 (1970-01-01T00:00:00Z) means unknown.',
    ),
    lastModifiedAt: optional(String, 'When the content last changed: as for `createdAt`.'),
    createdByName: optional(
      String,
      'Name of the user who created the file, at most 255 characters.',
    ),
    lastModifiedByName: optional(
      String,
      'Name of the user who last changed the file, at most 255 characters.',
    ),
  },
);

export const FileLinkInput = inputType(
  'FileLinkInput',
  'A new file link. Name the storage with `storageId` or `storageUrl`. ' +
    'If both are given, they must name the same storage.',
  {
    storageId: optional(ID, 'Global id or integer id of the storage.'),
    storageUrl: optional(String, 'Address of the storage (`Storage.origin`).'),
    originData: [OriginDataInput, 'The file in the storage.'],
  },
);
