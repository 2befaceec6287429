/** Everything of the client. `moorage-client/core` has no uploads. */
export {
  CoreClient,
  MoorageError,
  TypedText,
  type Arguments,
  type Auth,
  type ClientErrorCode,
  type ClientOptions,
  type Document,
  type ErrorCode,
  type ErrorDetails,
  type GraphqlError,
  type RequestOptions,
  type ResultOf,
  type StreamState,
  type SubscribeOptions,
  type VariablesOf,
} from './core.js';
export type { AddressOptions, ContentAddress } from './download.js';
export { Client, createClient, type StorageUploadOptions, type UploadOptions } from './client.js';
export type { Attachment, UploadMode } from './uploads/attachment-way.js';
export type { FileDetails, FileSource } from './uploads/file.js';
export type { FileLink } from './uploads/storage-way.js';
export type { Upload, UploadProgress } from './uploads/upload.js';
export type { AnyUpload, Uploads } from './uploads/uploads.js';
export type { UploadState } from './uploads/way.js';
