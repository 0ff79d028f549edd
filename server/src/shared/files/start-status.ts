import { systemCodeOf } from '../caught-error.ts'

/** A disk that is full, fails, or is a network disk that isn't ready: the same start can succeed later. */
const canPass = new Set(
  'EAGAIN EBUSY EDQUOT EHOSTDOWN EHOSTUNREACH EIO EMFILE ENFILE ENODEV ENOMEM ENOSPC ENOTCONN ENXIO EROFS ESTALE ETIMEDOUT'.split(
    ' ',
  ),
)

/** The status of a start that failed because of a file: 78 isn't started again, because someone has to change something first. */
export const startStatus = (cause: unknown): number => (canPass.has(systemCodeOf(cause) ?? '') ? 1 : 78)
