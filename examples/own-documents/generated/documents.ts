/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type FileNamesQueryVariables = Exact<{
  id: string;
}>;


export type FileNamesQuery = { container:
    | { attachments: { nodes: Array<{ fileName: string }> } }
    | { attachments: { nodes: Array<{ fileName: string }> } }
    | { attachments: { nodes: Array<{ fileName: string }> } }
    | { attachments: { nodes: Array<{ fileName: string }> } }
    | { attachments: { nodes: Array<{ fileName: string }> } }
   | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const FileNamesDocument = new TypedDocumentString(`
    query FileNames($id: ID!) {
  container(id: $id) {
    attachments(first: 100) {
      nodes {
        fileName
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FileNamesQuery, FileNamesQueryVariables>;