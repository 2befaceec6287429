/** Shows the OpenAPI description in its page (`src/pages/api-docs.ts`). */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js';
import './api-page.css';

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

SwaggerUI({
  url: '/api/v3/spec.json',
  dom_id: '#api',
  validatorUrl: null,
  deepLinking: true,
  // The browser sends the session cookie by itself.
  requestInterceptor: (request) => {
    // A write needs the first header where browsers do not say which page sends it. With the
    // second one the browser opens no dialog for a password.
    request.headers['X-Requested-With'] = 'XMLHttpRequest';
    request.headers['X-Authentication-Scheme'] = 'Session';
    return request;
  },
});
