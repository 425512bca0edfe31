/**
 * What surrounds every page: theme, language, query client, and the line that is shown while there is no
 * connection.
 */
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createQueries } from '../api/queries.ts'
import { ConnectionLine } from '../frame/connection-line.tsx'
import { LanguageProvider } from '../language/language.tsx'
import { cssVariables, theme } from './theme.ts'

export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueries)
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <ConnectionLine />
          {children}
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  )
}
