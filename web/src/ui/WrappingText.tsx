import { Fragment } from 'react'

interface WrappingTextProps {
  readonly of: string
  /** The signs that end a line: a path's slashes, or what separates the parts of an email address. */
  readonly after: '/' | '@.'
}

/** A long name that wraps after a sign in it, and within a part only if that is wider than the line. */
export const WrappingText = ({ of, after }: WrappingTextProps) =>
  of.split(ends[after]).map((part, at) => (
    // eslint-disable-next-line react/no-array-index-key -- the parts have no other identity
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

const ends = { '/': /(?<=\/)/, '@.': /(?<=[@.])/ } as const
