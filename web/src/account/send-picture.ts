/** Sends the picture of a person. */
import { TypedText } from 'moorage-client';
import { sendFile } from '../send-file';

const SET_PICTURE = new TypedText<unknown, { userId: string; file: null }>(
  'mutation SetPicture($userId: ID!, $file: Upload!) {' +
    ' setAvatar(input: { userId: $userId, file: $file }) { user { id } } }',
);

/** @throws MoorageError */
export const sendPicture = (userId: string, file: File): Promise<unknown> =>
  sendFile(SET_PICTURE, { userId, file: null }, file);
