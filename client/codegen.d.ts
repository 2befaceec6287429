/** The path of the schema in this package. */
export declare const schema: string;

/** `config` of GraphQL Code Generator with the plugins `typescript-operations` and `typed-document-node`. */
export declare const config: {
  documentMode: 'string';
  useTypeImports: boolean;
  skipTypename: boolean;
  onlyOperationTypes: boolean;
  scalars: { [name: string]: string };
};
