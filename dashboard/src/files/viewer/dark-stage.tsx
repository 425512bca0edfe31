/** Makes its content dark in both colour schemes, because bright surroundings make a picture look dull. */
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { resolveCssVariables } from '../../ui/theme.ts'

/** Attributes for the element inside `DarkStage` that becomes dark. */
export const DARK_ATTRIBUTES = { 'data-stage': true, 'data-mantine-color-scheme': 'dark' }

export const DarkStage = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    cssVariablesResolver={resolveCssVariables}
    cssVariablesSelector="[data-stage]"
    forceColorScheme="dark"
    withGlobalClasses={false}
    // No root element, so that the colour scheme of the page does not change.
    getRootElement={() => undefined}
  >
    {children}
  </MantineProvider>
)
