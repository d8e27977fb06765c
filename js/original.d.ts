export * from 'tanstack-ai-sandbox'
