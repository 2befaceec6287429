/** The part of Swagger UI that the page uses. The package has no types. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  interface OutgoingRequest {
    headers: { [name: string]: string };
  }
  export default function SwaggerUI(options: {
    url: string;
    dom_id: string;
    validatorUrl: null;
    deepLinking: boolean;
    requestInterceptor: (request: OutgoingRequest) => OutgoingRequest;
  }): void;
}
