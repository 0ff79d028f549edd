import { Loader } from '@mantine/core'
import { useTexts } from '../i18n/texts.ts'
import classes from './Notice.module.css'

/** Appears only when there is something to wait for: quick pages do not flash. */
export function Loading() {
  const texts = useTexts()
  return (
    <div className={classes.loading} role="status">
      <Loader aria-hidden />
      <span className="visually-hidden">{texts.loading}</span>
    </div>
  )
}
