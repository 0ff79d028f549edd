import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { GoToLink } from '../feedback/GoToLink.tsx'

interface FormProblemProps {
  /** Concerns the form as a whole. */
  readonly of: string | undefined
  /** The failure it's about, if any. */
  readonly error: Error | null
  /** Problems at fields that the form doesn't have. */
  readonly others?: readonly { readonly field: string; readonly message: string }[]
  /** Introduces the other problems. */
  readonly othersTitle?: string
  /** Shown below the other problems. */
  readonly children?: ReactNode
}

/** An error that belongs to no field of a form. */
export function FormProblem({ of, error, others = [], othersTitle, children }: FormProblemProps) {
  if (of !== undefined) {
    return (
      <Alert role="alert" color="red">
        {of}
        <GoToLink error={error} />
      </Alert>
    )
  }
  return (
    others.length > 0 && (
      <Alert role="alert" color="red" title={othersTitle}>
        {others.map(({ field, message }) => (
          <Text size="sm" key={field + message}>
            <strong>{field}</strong> {message}
          </Text>
        ))}
        {children}
      </Alert>
    )
  )
}
