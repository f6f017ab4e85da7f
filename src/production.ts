import { extname } from 'node:path';

// Imported before any library, because libraries read NODE_ENV while they load. Set here and not by `npm start`, whose
// script has to mean the same in every shell. What runs from its source is being developed.
if (extname(import.meta.url) === '.js') process.env.NODE_ENV ??= 'production';
