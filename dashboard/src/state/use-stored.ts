/**
 * State that the browser stores for the next visit. Other open windows keep their value until they reload.
 */
import { useLocalStorage } from '@mantine/hooks'

export const useStoredState = <T>(key: string, defaultValue: T) =>
  useLocalStorage<T>({ key, defaultValue, getInitialValueInEffect: false, sync: false })
