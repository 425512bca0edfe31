/**
 * A name truncated in the middle, since names often differ only at the end. The tooltip has the full name.
 */
import classes from './middle-cut.module.css'

const KEPT_AT_END = 12

export function MiddleCut({ children: text }: { children: string }) {
  const at = Math.max(text.length - KEPT_AT_END, Math.ceil(text.length / 2))
  return (
    <span className={classes.whole} title={text}>
      <span className={classes.said}>{text}</span>
      <span className={classes.start} aria-hidden>
        {text.slice(0, at)}
      </span>
      <span className={classes.end} aria-hidden>
        {text.slice(at)}
      </span>
    </span>
  )
}
