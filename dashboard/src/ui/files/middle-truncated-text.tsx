/**
 * Shows a name. If it is too long for its line, it is truncated in the middle, since names often differ only
 * at the end. The tooltip has the full name.
 */
import classes from './middle-truncated-text.module.css'

const END_LENGTH = 12

export function MiddleTruncatedText({ children: text }: { children: string }) {
  const cutIndex = Math.max(text.length - END_LENGTH, Math.ceil(text.length / 2))
  return (
    <span className={classes.whole} title={text}>
      <span className={classes.said}>{text}</span>
      <span className={classes.start} aria-hidden>
        {text.slice(0, cutIndex)}
      </span>
      <span className={classes.end} aria-hidden>
        {text.slice(cutIndex)}
      </span>
    </span>
  )
}
