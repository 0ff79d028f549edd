import { Fragment } from 'react'

/** A path that wraps after a slash, and within a name only if it's wider than the line. */
export function PathText({ of, className }: { of: string; className?: string | undefined }) {
  return (
    <code className={className}>
      {of.split('/').map((name, at) => (
        // eslint-disable-next-line react/no-array-index-key -- the parts of a path have no other identity
        <Fragment key={at}>
          {at > 0 && (
            <>
              /<wbr />
            </>
          )}
          {name}
        </Fragment>
      ))}
    </code>
  )
}
