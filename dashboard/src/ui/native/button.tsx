/** Buttons, and links that look like them. */
import type { ComponentProps, ReactNode } from 'react'
import classes from './button.module.css'

interface ButtonLook {
  /** Omitted for the main button; `danger`: the button destroys something. */
  variant?: 'danger' | 'default' | 'subtle'
  size?: 'small' | 'compact'
  icon?: ReactNode
}

interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Whether the action of the button is still running; meanwhile it cannot be pressed. */
  isBusy?: boolean
}

export const Button = ({ variant, size, icon, isBusy, disabled, children, ...rest }: ButtonProps) => (
  <button
    type="button"
    className={classes.button}
    data-variant={variant}
    data-size={size}
    data-busy={isBusy || undefined}
    disabled={disabled || isBusy}
    {...rest}
  >
    <ButtonContent icon={icon}>{children}</ButtonContent>
  </button>
)

export const ButtonLink = ({ variant, size, icon, children, ...rest }: ButtonLook & ComponentProps<'a'>) => (
  <a className={classes.button} data-variant={variant} data-size={size} {...rest}>
    <ButtonContent icon={icon}>{children}</ButtonContent>
  </a>
)

const ButtonContent = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <span className={classes.content}>
    {icon}
    <span className={classes.label}>{children}</span>
  </span>
)
