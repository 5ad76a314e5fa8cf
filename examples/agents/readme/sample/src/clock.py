import time

print(time.ctime())
