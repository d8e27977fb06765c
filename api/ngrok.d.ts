export * from 'tanstack-ai-sandbox/ngrok'
