import { Loader } from '@mantine/core'
import classes from './LoadingRing.module.css'

/** Surrounds the icon of a button, once loading has taken long enough to be noticed. The parent is positioned. */
export function LoadingRing() {
  return <Loader size={40} className={classes.ring} aria-hidden />
}
