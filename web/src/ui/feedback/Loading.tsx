import { Loader } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import classes from './Notice.module.css'

/** Appears after a delay, so that fast pages don't flash. */
export function Loading() {
  const texts = useTexts()
  return (
    <div className={classes.loading} role="status">
      <Loader aria-hidden />
      <span className="visually-hidden">{texts.loading}</span>
    </div>
  )
}
