/** Dark in both colour schemes: bright surroundings make a picture look dull. */
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { cssVariables } from '../app/theme.ts'

/** Marks the element that is dark, within `DarkStage`. */
export const DARK = { 'data-stage': true, 'data-mantine-color-scheme': 'dark' }

export const DarkStage = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    cssVariablesResolver={cssVariables}
    cssVariablesSelector="[data-stage]"
    forceColorScheme="dark"
    withGlobalClasses={false}
    // The page keeps its own scheme.
    getRootElement={() => undefined}
  >
    {children}
  </MantineProvider>
)
