import { Alert } from '@mantine/core'

/** What is wrong with a form as a whole; nothing where nothing is. */
export function FormProblem({ of }: { of: string | undefined }) {
  if (of === undefined) return null
  return (
    <Alert role="alert" color="red">
      {of}
    </Alert>
  )
}
