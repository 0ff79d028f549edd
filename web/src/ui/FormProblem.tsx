import { Alert } from '@mantine/core'

/** An error that concerns a form as a whole. */
export function FormProblem({ of }: { of: string | undefined }) {
  if (of === undefined) return null
  return (
    <Alert role="alert" color="red">
      {of}
    </Alert>
  )
}
