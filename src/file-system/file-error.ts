const FILE_ERROR_CODES =
  /^(ENOENT|EACCES|EPERM|EISDIR|ENOTDIR|EEXIST|EROFS|ENOSPC|EDQUOT|EFBIG|EIO|EINVAL|EBUSY|ESTALE|EMFILE|ENFILE|ENAMETOOLONG|ELOOP)$/;

/**
 * Whether an error comes from the file system. Errors of connections also have a code and a system call, such as
 * ECONNRESET of `read`, or ENOENT of `connect` for a Unix socket.
 */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return FILE_ERROR_CODES.test(code) && syscall !== 'connect';
}
