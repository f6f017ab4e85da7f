import { extname } from 'node:path';

// Import this module before any library, because libraries read NODE_ENV while they load. The script of `npm start` does
// not set it, because the syntax differs between shells. The build (`.js`) is for production, the source for development.
if (extname(import.meta.url) === '.js') process.env.NODE_ENV ??= 'production';
