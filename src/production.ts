import { extname } from 'node:path';

// Imported before any library, because libraries read NODE_ENV while they load. Set here and not in the script of
// `npm start`, because setting a variable there does not work in every shell. The build is run in production, and the
// TypeScript source in development.
if (extname(import.meta.url) === '.js') process.env.NODE_ENV ??= 'production';
