import { sharedTests } from './testing/test-project.ts'

export default sharedTests()
