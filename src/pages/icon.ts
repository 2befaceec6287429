/** The mark of Moorage, as the icon of all pages. */
import { Router } from 'express';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0a2531"/>
<g fill="none" stroke="#f4f9fa" stroke-width="2.2" stroke-linecap="round">
<circle cx="16" cy="8" r="2.6"/>
<path d="M16 10.6V25M11.5 14.5h9M6.5 18.5c.6 4 4.4 6.5 9.5 6.5s8.9-2.5 9.5-6.5"/>
</g>
</svg>
`;

export const icon = Router().get('/assets/icon.svg', (_req, res) => {
  res
    .set({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' })
    .type('svg')
    .send(ICON);
});
